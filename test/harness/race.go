package harness

// RaceDetector reports whether the tests run under the race detector. The program then has it too, which makes it
// larger and slower.
func RaceDetector() bool { return raceDetector }
