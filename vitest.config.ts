import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { databasesInMemory } from './test/memory-folder.ts'
import { hasClickhouse } from './test/clickhouse-engine.ts'
import { oidcDoor } from './test/oidc-door.ts'
import { newestMigration } from './newest-migration.ts'
import { hasMariadb } from './test/mariadb-server.ts'
import { rudeDoor } from './test/rude-server.ts'
import { hyperdrives, sqlDoor } from './test/sql-door.ts'
import { hasPostgres } from './test/postgres-server.ts'
import { suiteDoor, suiteFolders } from './test/suite-door.ts'
import { wasmAlias } from './wasm-alias.ts'

databasesInMemory()
const LONG = process.env['LONG'] === '1'
const secrets = {
  LOCAL_MODE: '1',
  SESSION_SECRET: 'test-session-secret-that-is-long-enough-0001',
  SECRETS_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
  LONG: LONG ? '1' : '0',
  // It takes seconds to start.
  HAS_MARIADB: hasMariadb && LONG ? '1' : '',
  HAS_POSTGRES: hasPostgres && LONG ? '1' : '',
  HAS_CLICKHOUSE: LONG && hasClickhouse() ? '1' : '',
  HARDENING_COUNT: process.env['HARDENING_COUNT'] ?? '',
  HARDENING_SEED: process.env['HARDENING_SEED'] ?? '',
}

export default defineConfig({
  test: {
    fsModuleCache: true,
    silent: 'passed-only',
    projects: [
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: { ...secrets, MIGRATIONS: await readD1Migrations('migrations') },
              // Of the tests of migrations: a database that starts empty.
              d1Databases: { EARLIER: 'earlier' },
              // Pools of connections, as the platform emulates them: they lead to servers of the tests.
              hyperdrives,
              serviceBindings: { OIDC: oidcDoor, SQL_DOOR: sqlDoor, RUDE_DOOR: rudeDoor },
            },
          }),
        ],
        resolve: { alias: wasmAlias },
        define: newestMigration,
        // Tests take these files byte for byte: `?inline`.
        assetsInclude: ['**/test/fixtures/**/*'],
        test: {
          name: 'worker',
          // A worker takes one file after the other: the app is read once, not once a file. Tests share its database.
          isolate: false,
          include: ['src/**/*.test.{ts,tsx}'],
          setupFiles: ['test/worker/setup.ts'],
          // What is waited for comes late beside other work: a limit against hanging only.
          expect: { poll: { timeout: 20_000 } },
          testTimeout: LONG ? 600_000 : 30_000,
          hookTimeout: LONG ? 600_000 : 60_000,
        },
      },
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: {
                ...secrets,
                MIGRATIONS: await readD1Migrations('migrations'),
                SUITE_KIND: process.env['SUITE_KIND'] ?? '',
                SUITE_FOLDERS: Object.keys(suiteFolders()),
              },
              serviceBindings: { SUITE_DOOR: suiteDoor },
            },
          }),
        ],
        resolve: { alias: wasmAlias },
        define: newestMigration,
        test: {
          name: 'suites',
          // As above. A runtime that is started anew for each file is told of all modules in one message, and that has a limit.
          isolate: false,
          include: ['test/suites/*.test.ts'],
          setupFiles: ['test/worker/setup.ts'],
          testTimeout: 600_000,
        },
      },
      {
        plugins: [react()],
        resolve: { alias: wasmAlias },
        test: {
          name: 'client',
          isolate: false,
          include: ['client/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          setupFiles: ['test/dom-setup.ts'],
          testTimeout: 30_000,
        },
      },
      { test: { name: 'house', include: ['test/*.test.ts'], testTimeout: 60_000 } },
      {
        test: {
          name: 'faults',
          include: ['test/faults/*.test.ts'],
          globalSetup: ['test/http/unused.ts'],
          testTimeout: 600_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'e2e',
          // A process takes one file after the other: its browser is started once.
          isolate: false,
          include: ['test/e2e/*.test.ts'],
          globalSetup: ['test/e2e/server.ts'],
          setupFiles: ['test/e2e/setup.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
})
