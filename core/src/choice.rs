//! Choices: enumerations whose variants have a name and a sentence.

/// Declares a choice: an enum whose variants have a name and a sentence that says what they do.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$default:meta])* $variant:ident = $text:literal: $what:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
        pub enum $name {
            $( $(#[$default])* #[doc = $what] $variant, )*
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// Its name.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// What it does, as a sentence.
            #[must_use]
            pub fn what(self) -> &'static str {
                match self { $($name::$variant => $what,)* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<$name, String> {
                let names: Vec<&str> = $name::ALL.iter().map(|c| c.name()).collect();
                let found = $name::ALL.iter().find(|c| c.name() == text);
                found.copied().ok_or_else(|| format!("'{text}' is none of {}", names.join(", ")))
            }
        }
    };
}

pub(crate) use choice;
