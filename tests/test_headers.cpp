// Compiled for its precompiled header alone, which every test binary reuses.
