package bridge

import (
	"bufio"
	"bytes"
	"context"
	"io"
)

// maxLine is far above what the endpoint accepts, so that the endpoint's own error, which states its limit, reaches
// the host.
const maxLine = 1 << 20

// line is one line of input without its line ending. The last line carries io.EOF or the error that ended the input.
type line struct {
	text    []byte
	tooLong bool
	err     error
}

func (l line) blank() bool { return len(l.text) == 0 && !l.tooLong }

// readLines reads in its own goroutine, because a read of standard input cannot be interrupted.
func readLines(ctx context.Context, in io.Reader) <-chan line {
	lines := make(chan line)
	go func() {
		r := bufio.NewReaderSize(in, 64<<10)
		for {
			l := nextLine(r)
			select {
			case lines <- l:
			case <-ctx.Done():
				return
			}
			if l.err != nil {
				return
			}
		}
	}()
	return lines
}

func nextLine(r *bufio.Reader) line {
	var l line
	for {
		part, err := r.ReadSlice('\n')
		l.add(part)
		if err == bufio.ErrBufferFull {
			continue
		}
		l.text, l.err = bytes.Trim(l.text, " \t\r\n"), err
		return l
	}
}

// add drops the text once the line is too long, so that a host that never ends its line costs no memory.
func (l *line) add(part []byte) {
	if l.tooLong {
		return
	}
	l.text = append(l.text, part...)
	if len(bytes.TrimRight(l.text, "\r\n")) > maxLine {
		l.text, l.tooLong = nil, true
	}
}
