"""What a job asks for and what it runs, from batch scripts, launchers and manifests."""
