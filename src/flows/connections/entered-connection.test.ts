import { expect, it } from 'vitest'
import { checkEntered } from './entered-connection'
import { findConnector } from '../../connectors/registry'
import { ProductError } from '../../shared/errors'

it('names a missing field as its label does', () => {
  const shop = findConnector('shopify')
  if (!shop) throw new Error('no such kind')
  const entered = { settings: { shop: 'a.myshopify.com', access: 'app' }, secrets: {} }
  const fields = { clientId: 'Enter client ID', clientSecret: 'Enter client secret' }
  expect(() => checkEntered(shop, entered)).toThrow(expect.objectContaining({ details: { fields } }))
})

it('asks again for secrets of another address, and for none where there were none', () => {
  const url = findConnector('url')
  if (!url) throw new Error('no such kind')
  const settings = { url: 'https://files.example.com/a.csv' }
  const moved = { settings: { url: 'https://elsewhere.example.com/a.csv' }, secrets: {} }
  expect(checkEntered(url, moved, { settings, secrets: {} })).toEqual(moved)
  expect(() => checkEntered(url, moved, { settings, secrets: { headers: 'X-Api-Key: a' } })).toThrow(ProductError)
})
