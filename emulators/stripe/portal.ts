import { customerOf } from './customers.ts'
import { emit } from './events.ts'
import { metadataOf, needed, part, text } from './form.ts'
import type { Form } from './form.ts'
import { page } from './lists.ts'
import type { PortalRecord } from './state.ts'
import { found } from './world.ts'
import type { World } from './world.ts'

export const portalBody = (world: World, portal: PortalRecord) => ({
  ...portal,
  object: 'billing_portal.session',
  customer_account: null,
  livemode: world.options.livemode,
  locale: null,
  on_behalf_of: null,
  url: `${world.options.origin}/portal/${portal.id}`,
})

export function createPortal(world: World, form: Form): object {
  const customer = customerOf(world, needed(form, 'customer'), 'customer')
  const configuration = text(form, 'configuration')
  if (configuration) found(world.state.portalConfigurations, 'configuration', configuration, 'configuration')
  const portal: PortalRecord = {
    id: world.id('bps', 24),
    created: world.now(),
    customer: customer.id,
    configuration: configuration || 'bpc_default',
    return_url: text(form, 'return_url') || null,
    flow: part(form, 'flow_data') ?? null,
  }
  world.state.portals[portal.id] = portal
  emit(world, 'billing_portal.session.created', portalBody(world, portal))
  return portalBody(world, portal)
}

type Configuration = World['state']['portalConfigurations'][string]

const configurationBody = (world: World, { id, created, settings }: Configuration) => ({
  id,
  object: 'billing_portal.configuration',
  active: text(settings, 'active') !== 'false',
  application: null,
  business_profile: part(settings, 'business_profile') ?? {},
  created,
  default_return_url: text(settings, 'default_return_url') || null,
  features: part(settings, 'features') ?? {},
  is_default: false,
  livemode: world.options.livemode,
  login_page: { enabled: false, url: null },
  metadata: metadataOf(settings),
  name: text(settings, 'name') || null,
  updated: created,
})

export function createConfiguration(world: World, form: Form): object {
  const configuration = { id: world.id('bpc', 24), created: world.now(), settings: form }
  world.state.portalConfigurations[configuration.id] = configuration
  return configurationBody(world, configuration)
}

export function updateConfiguration(world: World, id: string, form: Form): object {
  const configuration = found(world.state.portalConfigurations, 'configuration', id)
  configuration.settings = { ...configuration.settings, ...form }
  return configurationBody(world, configuration)
}

export function listConfigurations(world: World, form: Form): object {
  const url = '/v1/billing_portal/configurations'
  return page(Object.values(world.state.portalConfigurations), form, {
    url,
    tell: (one) => configurationBody(world, one),
  })
}

export const getConfiguration = (world: World, id: string): object =>
  configurationBody(world, found(world.state.portalConfigurations, 'configuration', id))
