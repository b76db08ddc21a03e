"""kernellab: kernel methods from scratch, with figures that answer."""
