package process

import (
	"bytes"
	"sync"
)

// Buffer collects what a program prints. A test may read it meanwhile.
type Buffer struct {
	mu      sync.Mutex
	text    bytes.Buffer
	changed chan struct{} // closed at the next write; nil if nobody waits
}

func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changed != nil {
		close(b.changed)
		b.changed = nil
	}
	return b.text.Write(p)
}

func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// Reset forgets what was printed so far.
func (b *Buffer) Reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text.Reset()
}

// next returns the text so far, and a channel that is closed when more is written.
func (b *Buffer) next() (text string, changed <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changed == nil {
		b.changed = make(chan struct{})
	}
	return b.text.String(), b.changed
}
