// SPDX-License-Identifier: MIT
import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  build: { target: 'es2022', modulePreload: false, cssCodeSplit: false, assetsInlineLimit: 1 << 20, reportCompressedSize: false, chunkSizeWarningLimit: 2000 },
});
