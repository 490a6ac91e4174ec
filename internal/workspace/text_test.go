package workspace

import (
	"strings"
	"testing"
)

// checkAll expects no error for each right value and an error for each wrong one.
func checkAll(t *testing.T, check func(string) error, right, wrong []string) {
	t.Helper()
	for _, s := range right {
		if err := check(s); err != nil {
			t.Errorf("%.80q is refused: %s", s, err)
		}
	}
	for _, s := range wrong {
		if check(s) == nil {
			t.Errorf("%.80q is accepted", s)
		}
	}
}

func TestSlug_IsAPathSegment(t *testing.T) {
	checkAll(t, checkSlug,
		[]string{"a", "0", "a-b", "a--b", "intro", strings.Repeat("a", 64)},
		[]string{"", "-", "-a", "a-", "A", "a_b", "a b", "é", "a/b", "a\n", strings.Repeat("a", 65)})
	checkAll(t, checkReserved, []string{"acme", "apis"}, reserved)
}

func TestValidEmail_TakesBareAddressesOnly(t *testing.T) {
	long := func(n int) string { return strings.Repeat("a", n-len("@example.com")) + "@example.com" }
	checkAll(t, CheckEmail,
		[]string{"a@b.co", "ada.park+slots@acme.example", "a@localhost", "o'hara@x-y.example", "A_b@EXAMPLE.com",
			"1@1.com", long(254)},
		[]string{"", "a", "@", "a@", "@b.co", "a@b", "a b@c.co", " a@b.co", "a@b.co ", "a@b.co\n",
			"a@b.co\r\nBcc: c@d.co", "<a@b.co>",
			"Ada <a@b.co>", "a@b.co (x)", "a@b.co(x)", `"a b"@c.co`, `"a"@c.co`, "a@b..co", "a@.b.co", "a@b.co.",
			"a@-b.co", "a@b-.co", "a..b@c.co",
			".a@b.co", "a.@b.co", "a@b_c.co", "a@[127.0.0.1]", "a@bücher.example", "ü@b.co", "a@b@c.co", "a@b.co,c@d.co", "a\x00@b.co", "\xff@b.co", long(255)})
}

func TestURL_NamesAHostAndNeedsNoEscaping(t *testing.T) {
	checkAll(t, func(s string) error { return checkURL(s, "", "https") },
		[]string{"https://a.example", "https://a.example/", "https://a.example:8443/x/y.svg?z=%20&q=1#f",
			"https://[::1]/", "https://127.0.0.1/x",
			"https://a.example/" + strings.Repeat("a", maxURL-18)},
		[]string{"", "a", "/a", "//a.example", "http://a.example", "javascript:alert(1)", "https:", "https://",
			"https:///x", "https:a.example",
			"https://a.example:0/", "https://a.example:/", "https://a.example:99999/", "https://u@a.example/",
			"https://u:p@a.example/", "https://a b.example/",
			"https://a.example/a b", "https://a.example/\n", "https://a.example/é", `https://a.example/"`,
			"https://a.example/<", `https://a.example\b`,
			"https://[::1%25eth0]/", "https://a_b.example/", "https://-a.example", "https://a.example/" +
				strings.Repeat("a", maxURL-17)})
}

func TestOrigin_HasNoPath(t *testing.T) {
	checkAll(t, checkOrigin,
		[]string{"https://a.example", "http://localhost:3000", "https://[::1]:8443", "https://127.0.0.1"},
		[]string{"", "a.example", "https://a.example/", "https://a.example/x", "https://a.example?x",
			"https://a.example#x", "https://a.example#", "https://a.example?",
			"https://*.a.example", "*", "https://a.example;", "https://a.example 'self'",
			"https://a.example,https://b.example", "ftp://a.example",
			"https://u@a.example", "https://a.example:", "https://", "null", "https://a.example\n",
			"HTTPS://a.example"})
}
