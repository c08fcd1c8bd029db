import { cloudflare } from '@cloudflare/vite-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { chunkGroups } from './client-chunks.ts'
import { newestMigration } from './newest-migration.ts'
import { wasmAlias } from './wasm-alias.ts'

/**
 * pdfkit looks for a colour profile, which papers do not embed, beside its own file as soon as it is loaded. A Worker has
 * no files, and its modules no addresses: it would not start.
 */
const withoutColourProfile: Plugin = {
  name: 'pdfkit-without-colour-profile',
  transform: (code, id) =>
    id.includes('/pdfkit/js/')
      ? { code: code.replace(/new URL\('\.\/data\/[^']+', import\.meta\.url\)\.href/, "''"), map: null }
      : undefined,
}

// The Worker renders the HTML, so there is no index.html: the client entry is named here and
// its hashed file names reach the Worker through the build manifest (src/shell.tsx).
export default defineConfig({
  plugins: [
    react(),
    withoutColourProfile,
    cloudflare({ config: { vars: JSON.parse(process.env['LOCAL_VARS'] ?? '{}') } }),
  ],
  resolve: { alias: wasmAlias },
  define: newestMigration,
  environments: {
    client: {
      build: {
        manifest: true,
        rollupOptions: {
          input: ['client/prepare.ts', 'client/main.tsx', 'client/shared.tsx'],
          output: { codeSplitting: { groups: chunkGroups(import.meta.dirname) } },
        },
      },
    },
    insikt: { build: { minify: true } },
  },
})
