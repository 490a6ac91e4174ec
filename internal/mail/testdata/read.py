"""Reads mails, the files named as arguments, with Python's email package and prints what it found in each."""
import email, email.policy, html.parser, json, sys


class Tags(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen = []

    def handle_starttag(self, tag, attrs):
        if tag != "br":
            self.seen.append(" ".join([tag] + [name for name, _ in attrs]))

    def handle_comment(self, data):
        self.seen.append("comment")


def read(path):
    with open(path, "rb") as f:
        mail = email.message_from_binary_file(f, policy=email.policy.default)
    tags, parts, defects, text = Tags(), [], [], ""
    for part in mail.walk():
        parts.append(part.get_content_type())
        defects += [repr(d) for d in part.defects]
        for value in part.values():
            defects += [repr(d) for d in value.defects]
        if part.get_content_type() == "text/html":
            tags.feed(part.get_content())
        if part.get_content_type() == "text/plain":
            text = part.get_content().replace("\r\n", "\n")
    to = mail["to"].addresses
    return {
        "Headers": mail.keys(), "Parts": parts, "Tags": tags.seen, "Defects": defects,
        "Subject": mail["subject"], "Text": text, "Names": [a.display_name for a in to], "To": [a.addr_spec for a in to],
    }


print(json.dumps([read(path) for path in sys.argv[1:]]))
