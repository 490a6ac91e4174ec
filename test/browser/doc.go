// Package browser drives slotd's pages in a real Chromium, as guests and other people's sites do.
//
// It runs the built program and checks what a person gets: what can be seen, clicked and read aloud, on any screen, in
// any zone, with and without JavaScript. Every page that a test opens must leave the browser's console empty. With
// SLOTD_SHOTS=DIR the tests write screenshots of the pages to DIR.
package browser
