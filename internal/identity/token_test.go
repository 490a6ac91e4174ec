package identity

import (
	"crypto/sha256"
	"hash/crc32"
	"math/big"
	"regexp"
	"strings"
	"testing"
)

var shape = regexp.MustCompile(`^slotd_mcp_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$`)

func TestSecret_HasTheShapeOfAToken(t *testing.T) {
	seen := map[string]bool{}
	for range 2000 {
		secret := newSecret()
		if !shape.MatchString(secret) || !IsToken(secret) || seen[secret] {
			t.Fatal(secret)
		}
		seen[secret] = true
		if len(secret) != 59 {
			t.Fatalf("%d characters", len(secret))
		}
		body, sum := secret[:53], secret[53:]
		if got := parseBase62(sum); got.Cmp(big.NewInt(int64(crc32.ChecksumIEEE([]byte(body))))) != 0 {
			t.Fatalf("%s: checksum %v", secret, got)
		}
		if parseBase62(body[10:]).BitLen() > 256 {
			t.Fatalf("%s holds more than 256 bits", secret)
		}
	}
}

// parseBase62 decodes base62 in another way than the program encodes it.
func parseBase62(digits string) *big.Int {
	n := new(big.Int)
	for _, c := range []byte(digits) {
		value := int64(0)
		switch {
		case c >= '0' && c <= '9':
			value = int64(c - '0')
		case c >= 'A' && c <= 'Z':
			value = int64(c-'A') + 10
		default:
			value = int64(c-'a') + 36
		}
		n.Add(n.Mul(n, big.NewInt(62)), big.NewInt(value))
	}
	return n
}

// TestSecret_UsesEveryBit checks that over many secrets each of the 256 bits is sometimes 0 and sometimes 1.
func TestSecret_UsesEveryBit(t *testing.T) {
	ones, zeros := new(big.Int), new(big.Int)
	all := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))
	for range 100 {
		n := parseBase62(newSecret()[10:53])
		ones.Or(ones, n)
		zeros.Or(zeros, new(big.Int).Xor(all, n))
	}
	if ones.Cmp(all) != 0 || zeros.Cmp(all) != 0 {
		t.Error("some bits never change")
	}
}

func TestBase62(t *testing.T) {
	for _, c := range []struct {
		n      int64
		length int
		want   string
	}{{0, 6, "000000"}, {61, 6, "00000z"}, {62, 6, "000010"}, {1<<32 - 1, 6, "4gfFC3"}, {10, 1, "A"}} {
		if got := base62(big.NewInt(c.n), c.length); got != c.want {
			t.Errorf("%d: %s, want %s", c.n, got, c.want)
		}
	}
}

func TestIsToken_RefusesEveryTypingError(t *testing.T) {
	secret := newSecret()
	for i := range secret {
		for _, c := range []byte("0Az-_ ") {
			wrong := secret[:i] + string(c) + secret[i+1:]
			if wrong != secret && IsToken(wrong) {
				t.Errorf("%s is taken for %s", wrong, secret)
			}
		}
		if i > 0 && secret[i] != secret[i-1] && IsToken(secret[:i-1]+secret[i:i+1]+secret[i-1:i]+secret[i+1:]) {
			t.Errorf("two characters swapped at %d go unnoticed", i)
		}
		if IsToken(secret[:i]) {
			t.Errorf("%d characters are enough", i)
		}
	}
	for _, wrong := range []string{"", secret + "0", " " + secret, secret + "\n", strings.ToLower(secret),
		strings.ToUpper(secret), strings.Repeat("0", 59), "slotd_mcp_" + strings.Repeat("\x00", 49), strings.Repeat("x",
			1<<20)} {
		if IsToken(wrong) {
			t.Errorf("%.80q is taken", wrong)
		}
	}
}

func TestHashToken_IsSHA256(t *testing.T) {
	if HashToken("abc") != sha256.Sum256([]byte("abc")) {
		t.Error("another hash")
	}
}

func TestBearerToken(t *testing.T) {
	for header, want := range map[string]string{
		"Bearer abc": "abc", "bearer abc": "abc", "BEARER abc": "abc", "Bearer  abc ": "abc", "Bearer": "", "": "",
		"abc": "", "Basic abc": "", "Bearerabc": "", " Bearer abc": "",
		"Bearer a b": "a b",
	} {
		if got := BearerToken(header); got != want {
			t.Errorf("%q: %q, want %q", header, got, want)
		}
	}
}
