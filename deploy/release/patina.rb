class Patina < Formula
  desc "Ask a repository about its code, history and documents"
  homepage "@ADDRESS@"
  version "@VERSION@"
  license "MIT"

  # @if darwin-arm64
  on_macos do
    on_arm do
      url "@ADDRESS@/patina-@VERSION@-darwin-arm64.tar.gz"
      sha256 "@SHA256@"
    end
  end
  # @end
  # @if darwin-amd64
  on_macos do
    on_intel do
      url "@ADDRESS@/patina-@VERSION@-darwin-amd64.tar.gz"
      sha256 "@SHA256@"
    end
  end
  # @end
  # @if linux-arm64
  on_linux do
    on_arm do
      url "@ADDRESS@/patina-@VERSION@-linux-arm64.tar.gz"
      sha256 "@SHA256@"
    end
  end
  # @end
  # @if linux-amd64
  on_linux do
    on_intel do
      url "@ADDRESS@/patina-@VERSION@-linux-amd64.tar.gz"
      sha256 "@SHA256@"
    end
  end
  # @end

  def install
    bin.install "patina"
    man1.install "patina.1"
    bash_completion.install "completions/patina.bash" => "patina"
    zsh_completion.install "completions/_patina"
    fish_completion.install "completions/patina.fish"
    doc.install "THIRD-PARTY.md", "LICENCES.txt"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/patina version")
  end
end
