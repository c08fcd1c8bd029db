import { cloudflare } from '@cloudflare/vite-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { wasmAlias } from './wasm-alias.ts'

// The Worker renders the HTML, so there is no index.html: the client entry is named here and
// its hashed file names reach the Worker through the build manifest (src/shell.tsx).
export default defineConfig({
  plugins: [react(), cloudflare({ config: { vars: JSON.parse(process.env['LOCAL_VARS'] ?? '{}') } })],
  resolve: { alias: wasmAlias },
  environments: {
    client: { build: { manifest: true, rollupOptions: { input: ['client/prepare.ts', 'client/main.tsx'] } } },
    insikt: { build: { minify: true } },
  },
})
