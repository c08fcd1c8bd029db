import { clickhouseConnector } from './clickhouse/clickhouse-connector'
import type { Connector } from './contract'
import { fortnoxConnector } from './fortnox/fortnox-connector'
import { sheetsConnector } from './google-sheets/sheets-connector'
import { shopifyConnector } from './shopify/shopify-connector'
import { stripeConnector } from './stripe/stripe-connector'
import { pushConnector } from './push/push-connector'
import { s3Connector } from './s3/s3-connector'
import { mysqlConnector } from './mysql/mysql-connector'
import { postgresConnector } from './postgres/postgres-connector'
import { urlConnector } from './url/url-connector'
import { fortnoxOperator, sheetsOperator, shopifyOperator, stripeOperator, vismaOperator } from './vendor-keys'
import { vismaConnector } from './visma/visma-connector'
import type { Settings } from '../settings'
import type { ConnectorKind } from '../shared/data-sources/connectors'

/** What the installation gives a kind: keys at the vendor, and addresses by name that `doors.operator` may call. */
export interface OperatorConfiguration {
  keys: Readonly<Record<string, string>>
  origins: Readonly<Record<string, string>>
}

export interface RegisteredConnector {
  connector: Connector
  /** Null: the installation has no keys for it, and it is not offered. */
  operatorOf: (settings: Settings) => OperatorConfiguration | null
}

/** For a kind that needs nothing of the installation. */
export const NO_OPERATOR = (): OperatorConfiguration => ({ keys: {}, origins: {} })

/** Every kind that can be connected; one folder a kind, one line here. */
const CONNECTORS: Readonly<Partial<Record<ConnectorKind, RegisteredConnector>>> = {
  url: { connector: urlConnector, operatorOf: NO_OPERATOR },
  google_sheets: { connector: sheetsConnector, operatorOf: sheetsOperator },
  s3: { connector: s3Connector, operatorOf: NO_OPERATOR },
  push: { connector: pushConnector, operatorOf: NO_OPERATOR },
  postgresql: { connector: postgresConnector, operatorOf: NO_OPERATOR },
  mysql: { connector: mysqlConnector, operatorOf: NO_OPERATOR },
  clickhouse: { connector: clickhouseConnector, operatorOf: NO_OPERATOR },
  fortnox: { connector: fortnoxConnector, operatorOf: fortnoxOperator },
  visma: { connector: vismaConnector, operatorOf: vismaOperator },
  stripe: { connector: stripeConnector, operatorOf: stripeOperator },
  shopify: { connector: shopifyConnector, operatorOf: shopifyOperator },
}

export function findConnector(kind: string): RegisteredConnector | null {
  return Object.entries(CONNECTORS).find(([known]) => known === kind)?.[1] ?? null
}

export const listConnectors = (): RegisteredConnector[] => Object.values(CONNECTORS)
