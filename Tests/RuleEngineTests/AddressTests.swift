// Which links are followed and which attachments are fetched.
import PushMessage
import Testing

@testable import RuleEngine

@Suite struct AddressTests {
    private func allows(_ link: String, _ links: Manifest.Links?) -> Bool {
        LinkPolicy(links).verdict(on: link) == .allowed
    }

    @Test(
        "Without links in the manifest everything is followed but what runs or reads something",
        arguments: [
            ("shop://offers", true), ("https://example.com/a", true), ("http://example.com", true), ("tel:112", true),
            ("mailto:a@b.c", true), ("javascript:alert(1)", false), ("JavaScript:alert(1)", false), ("data:text/html,x", false),
            ("file:///etc/passwd", false), ("blob:https://x", false), ("vbscript:x", false), ("offers", false),
            ("/offers", false), ("//example.com", false), ("", false), ("https:", false), ("https://", false),
            ("https://a b", false), ("https://a\nb", false), ("1a://x", false), (":x", false),
        ])
    func withoutLinks(link: String, isAllowed: Bool) {
        #expect(allows(link, nil) == isAllowed)
    }

    @Test(
        "Hosts hold for http and https, whatever the spelling",
        arguments: [
            ("https://example.com/x", true), ("https://EXAMPLE.com:443/x", true), ("https://example.com.", true),
            ("https://a.example.org/", true), ("https://example.org/", false), ("https://evil.com/example.com", false),
            ("https://example.com@evil.com/", false), ("https://example.com:x@evil.com/", false),
            ("https://evil.com\\@example.com/", false), ("https:\\\\evil.com", false), ("https://evil.com?example.com", false),
            ("https://evil.com#example.com", false), ("https://notexample.org", false), ("shop://anything", true),
            ("ftp://example.com", false), ("https://[::1]/", false),
        ])
    func hosts(link: String, isAllowed: Bool) {
        let links = Manifest.Links(
            schemes: ["https", "shop"], hosts: ["example.com", "*.example.org"], fallback: "ftp://fallback")
        #expect(allows(link, links) == isAllowed)
    }

    @Test("An address with a backslash is none, with links and without", arguments: ["http:\\\\evil", "https://evil.com\\@example.com/"])
    func backslash(link: String) {
        #expect(!allows(link, nil))
    }

    @Test(
        "A picture on the web is no screen",
        arguments: [
            ("https://example.com/a.jpg", false), ("https://example.com/a/IMG.PNG?w=1#x", false),
            ("http://example.com/a.WebP#x", false),
            ("https://example.com/.svg", false), ("https://example.com/jpg", true), ("https://example.com/a.jpg/comments", true),
            ("https://example.com/x?file=a.jpg", true), ("https://example.com/x#a.jpg", true), ("https://a.jpg", true),
            ("https://example.com/a.jpgs", true), ("https://example.com/a.html", true),
            ("shop://a.jpg", true), ("https://example.com/.", true),
        ])
    func pictures(link: String, isAllowed: Bool) {
        #expect(allows(link, nil) == isAllowed)
        let links = Manifest.Links(schemes: ["https", "http", "shop"], hosts: ["example.com", "a.jpg"], fallback: nil)
        #expect(allows(link, links) == isAllowed)
    }

    @Test("The fallback is always followed")
    func fallback() {
        #expect(allows("ftp://fallback", Manifest.Links(schemes: ["https"], hosts: nil, fallback: "ftp://fallback")))
    }

    @Test("A link of more than 2048 bytes is not followed")
    func length() {
        let stem = "shop://"
        #expect(allows(stem + String(repeating: "a", count: 2048 - stem.utf8.count), nil))
        #expect(!allows(stem + String(repeating: "a", count: 2049 - stem.utf8.count), nil))
    }

    @Test(
        "Attachments are https and of a kind that phones show",
        arguments: [
            ("https://x.com/a.png", nil, AttachmentPolicy.Verdict.allowed(nil)), ("https://x.com/a.JPG?w=1", nil, .allowed(nil)),
            ("https://x.com/a", nil, .allowed(nil)), ("https://x.com", nil, .allowed(nil)),
            ("https://x.com/a.webp", nil, .unknownType("webp")),
            ("https://x.com/a.webp", "image/png", .allowed(.png)), ("https://x.com/a.png", "image/webp", .unknownType("image/webp")),
            ("https://x.com/a", "image/../../evil", .unknownType("image/../../evil")), ("https://x.com/a", "png", .allowed(.png)),
            ("https://x.com/a", "Image/PNG", .allowed(.png)), ("http://x.com/a.png", nil, .insecure), ("a.png", nil, .invalid),
            ("", nil, .invalid), ("ftp://x.com/a.png", nil, .invalid), ("https:///a.png", nil, .invalid),
            ("https://x.com/v1.2/picture", nil, .allowed(nil)), ("https://x.com/a.mp4#t=1.webp", nil, .allowed(nil)),
        ] as [(String, String?, AttachmentPolicy.Verdict)])
    func attachments(url: String, type: String?, verdict: AttachmentPolicy.Verdict) {
        #expect(AttachmentPolicy.verdict(on: Content.Attachment(url: url, type: type)) == verdict)
    }
}
