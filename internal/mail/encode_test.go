package mail

import (
	"bytes"
	"mime"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestQuoted_ReadsBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("ab =.\t\né🙂\x00~-_")), 0, 400, -1).Draw(rt, "text")
		got := decode(t, "quoted-printable", bytes.NewReader(quotedPrintable([]byte(text))))
		if want := strings.ReplaceAll(text, "\n", "\r\n"); string(got) != want {
			rt.Fatalf("%q came back as %q", want, got)
		}
	})
}

func TestQuoted_LeavesNoSpaceAtALinesEnd(t *testing.T) {
	if got := string(quotedPrintable([]byte("a \n-- \n "))); got != "a=20\r\n--=20\r\n=20" {
		t.Errorf("%q", got)
	}
}

func TestQuoted_UsesTheWholeLine(t *testing.T) {
	if got := string(quotedPrintable([]byte(strings.Repeat("a", 76) + "\n" + strings.Repeat("a",
		77)))); got != strings.Repeat("a", 76)+"\r\n"+strings.Repeat("a", 75)+"=\r\naa" {
		t.Errorf("%q", got)
	}
}

func TestBase64_ReadsBack(t *testing.T) {
	for n := range 200 {
		data := bytes.Repeat([]byte{'x', '\r', '\n'}, n)[:n]
		if got := decode(t, "base64", bytes.NewReader(encodeBase64(data))); !bytes.Equal(got, data) {
			t.Fatalf("%q came back as %q", data, got)
		}
	}
}

func TestHeader_FoldsAndReadsBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := cleanLine(rapid.StringOfN(rapid.RuneFrom([]rune("ab =?_\"(),<é🙂")), 1, 300, -1).Draw(rt, "text"))
		folded := string(appendHeader(nil, "Subject: ", encodeText(text)))
		for l := range strings.SplitSeq(folded, "\r\n") {
			if len(l) > 78 {
				rt.Fatalf("line %q", l)
			}
		}
		value := strings.TrimPrefix(strings.TrimSuffix(strings.ReplaceAll(folded, "\r\n ", " "), "\r\n"), "Subject: ")
		if got, err := new(mime.WordDecoder).DecodeHeader(value); err != nil || got != text {
			rt.Fatalf("%q came back as %q, %v", text, got, err)
		}
	})
}

func TestEncodedWords_HoldWholeRunes(t *testing.T) {
	for n := range 50 {
		s := strings.Repeat("a", n) + strings.Repeat("🙂", 40)
		for word := range strings.SplitSeq(encodedWords(s), " ") {
			got, err := new(mime.WordDecoder).Decode(word)
			if err != nil || strings.ContainsRune(got, '\ufffd') || len(word) > 60 {
				t.Fatalf("%q: %q, %v", word, got, err)
			}
		}
	}
}
