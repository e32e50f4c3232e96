# Not run: there is no Homebrew where the project is checked. Its syntax is. `url` and `sha256` belong to a release, which there is none of yet.
class Earshot < Formula
  desc "Recognizes recordings by catalogs of your own"
  homepage "https://example.org/earshot"
  url "https://example.org/earshot/archive/refs/tags/v0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "Apache-2.0"
  head "https://example.org/earshot.git", branch: "main"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.0", :build]
  depends_on "chromaprint"
  depends_on "ffmpeg"
  depends_on "libebur128"
  depends_on "libpq"
  depends_on macos: :sequoia
  depends_on "taglib"

  uses_from_macos "python" => :build
  uses_from_macos "zlib"

  def install
    ENV["SWIFT_DETERMINISTIC_HASHING"] = "1"
    ENV.prepend_path "PKG_CONFIG_PATH", Formula["libpq"].opt_lib/"pkgconfig"
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "earshot"
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "earshot-fpcalc"
    bin.install ".build/release/earshot", ".build/release/earshot-fpcalc"
    generate_completions_from_executable(bin/"earshot", "--generate-completion-script")
    system "python3", "scripts/lib/manual.py", bin/"earshot", buildpath/"man"
    man1.install Dir[buildpath/"man/*.1"]
  end

  service do
    run [opt_bin/"earshot", "serve", "--no-open"]
    keep_alive true
    log_path var/"log/earshot.log"
    error_log_path var/"log/earshot.log"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/earshot --version")
    system bin/"earshot", "doctor"
  end
end
