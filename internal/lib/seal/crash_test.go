package seal

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// The child process is killed inside reseal, after it has resealed one row but not another.
func TestRotate_SurvivesBeingKilled(t *testing.T) {
	path := keyPath(t)
	old := sealed(t, ensured(t, path), secret)
	child, resealed := rotateInChild(t, path)

	if err := Rotate(path, nothing); !errors.Is(err, errRotating) {
		t.Errorf("two rotations at once: %v", err)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // reports that it was killed

	wantKeys(t, path, 2)
	wantOpen(t, ensured(t, path), old)
	wantOpen(t, ensured(t, path), resealed)
	rotate(t, path, nothing)
	wantOpen(t, ensured(t, path), resealed)
}

const pathForChild = "SLOTD_TEST_ROTATE"

// rotateInChild starts a child process, waits until it is inside reseal, and returns what it sealed there.
func rotateInChild(t *testing.T, path string) (*exec.Cmd, []byte) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestChild_RotatesUntilKilled$")
	child.Env = append(os.Environ(), pathForChild+"="+path)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = child.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	box, err := hex.DecodeString(line[:len(line)-1])
	if err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return child, box
}

func TestChild_RotatesUntilKilled(t *testing.T) {
	path := os.Getenv(pathForChild)
	if path == "" {
		t.Skip("runs as another test's child")
	}
	rotate(t, path, func(k *Keys) error {
		fmt.Printf("%x\n", sealed(t, k, secret))
		select {}
	})
}
