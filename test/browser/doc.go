// Package browser drives slotd's pages in a real Chromium, as guests and other people's sites do.
//
// It runs the real program and looks at what a person meets: what can be seen, pressed and read aloud, on
// any screen, in any zone, with and without JavaScript. Every page that a test opens must leave the
// browser's console empty. With SLOTD_SHOTS=DIR the tests leave pictures of the pages in DIR.
package browser
