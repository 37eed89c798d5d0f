# patina as it was released: nothing is compiled. The programs for musl are static, so they need no
# libc of the store.
{
  description = "Ask a repository about its code, history and documents";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixpkgs-unstable";

  outputs = { self, nixpkgs }:
    let
      files = {
        # @if linux-amd64-musl
        x86_64-linux = {
          name = "patina-@VERSION@-linux-amd64-musl";
          sha256 = "@SHA256@";
        };
        # @end
        # @if linux-arm64-musl
        aarch64-linux = {
          name = "patina-@VERSION@-linux-arm64-musl";
          sha256 = "@SHA256@";
        };
        # @end
        # @if darwin-amd64
        x86_64-darwin = {
          name = "patina-@VERSION@-darwin-amd64";
          sha256 = "@SHA256@";
        };
        # @end
        # @if darwin-arm64
        aarch64-darwin = {
          name = "patina-@VERSION@-darwin-arm64";
          sha256 = "@SHA256@";
        };
        # @end
      };
      build = system: file:
        let
          pkgs = nixpkgs.legacyPackages.${system};
        in
        pkgs.stdenvNoCC.mkDerivation {
          pname = "patina";
          version = "@VERSION@";
          src = pkgs.fetchurl {
            url = "@ADDRESS@/${file.name}.tar.gz";
            inherit (file) sha256;
          };
          nativeBuildInputs = [ pkgs.installShellFiles pkgs.makeWrapper ];
          dontBuild = true;
          installPhase = ''
            install -D -m 755 patina $out/bin/patina
            installManPage patina.1
            installShellCompletion --bash completions/patina.bash --fish completions/patina.fish --zsh completions/_patina
            install -D -m 644 -t $out/share/doc/patina LICENSE THIRD-PARTY.md LICENCES.txt
            wrapProgram $out/bin/patina --suffix PATH : ${pkgs.gitMinimal}/bin
          '';
          meta = {
            description = "Ask a repository about its code, history and documents";
            license = pkgs.lib.licenses.mit;
            mainProgram = "patina";
          };
        };
    in
    {
      packages = builtins.mapAttrs (system: file: { default = build system file; }) files;
    };
}
