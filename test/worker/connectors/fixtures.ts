import { env } from 'cloudflare:test'
import { clickhouseFixture } from './clickhouse-fixture'
import { mysqlFixture, postgresFixture } from './database-fixtures'
import type { ConnectorFixture } from './fixture'
import { fortnoxFixture } from './fortnox-fixture'
import { pushFixture, type SentFixture } from './push-fixture'
import { sheetsFixture } from './sheets-fixture'
import { shopifyFixture } from './shopify-fixture'
import { stripeFixture } from './stripe-fixture'
import { s3Fixture } from './s3-fixture'
import { urlFixture } from './url-fixture'
import { vismaFixture } from './visma-fixture'
import type { ConnectorKind } from '../../../src/shared/data-sources/connectors'

/** One line a kind that is read: the contract tests fail for a registered kind that has none. */
export const CONNECTOR_FIXTURES: Readonly<Partial<Record<ConnectorKind, () => ConnectorFixture>>> = {
  url: urlFixture,
  google_sheets: sheetsFixture,
  s3: s3Fixture,
  postgresql: postgresFixture,
  mysql: () => mysqlFixture(env.HAS_MARIADB === '1'),
  clickhouse: () => clickhouseFixture(env.HAS_CLICKHOUSE === '1'),
  fortnox: () => fortnoxFixture(),
  visma: vismaFixture,
  stripe: stripeFixture,
  shopify: shopifyFixture,
}

/** The same of kinds that programs send to. */
export const SENT_FIXTURES: Readonly<Partial<Record<ConnectorKind, () => Promise<SentFixture>>>> = { push: pushFixture }
