//go:build race

package harness

// raceDetector reports whether the tests run under the race detector. The program is then built with it too.
const raceDetector = true
