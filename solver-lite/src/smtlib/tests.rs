//! Each command and each error of the front end, and garbage.
