//! Functions that are not inlined.

/// Calls a function that is not inlined here. Otherwise a function that chooses a method would contain the code of all
/// methods, and a program that is loaded function by function, as the page's engine is, would load all of it.
#[inline(never)]
pub fn apart<T>(call: impl FnOnce() -> T) -> T {
    call()
}
