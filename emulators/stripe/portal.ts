import { requireCustomer } from './customers.ts'
import { emit } from './events.ts'
import { mergeMetadata, requireText, subForm, optionalText, type Form } from './form.ts'
import { paginate } from './lists.ts'
import type { PortalRecord } from './state.ts'
import { requireRecord, type Simulation } from './simulation.ts'

export const portalBody = (simulation: Simulation, portal: PortalRecord) => ({
  ...portal,
  object: 'billing_portal.session',
  customer_account: null,
  livemode: simulation.options.livemode,
  locale: null,
  on_behalf_of: null,
  url: `${simulation.options.origin}/portal/${portal.id}`,
})

export function createPortal(simulation: Simulation, form: Form): object {
  const customer = requireCustomer(simulation, requireText(form, 'customer'), 'customer')
  const configuration = optionalText(form, 'configuration')
  if (configuration)
    requireRecord(simulation.state.portalConfigurations, 'configuration', configuration, 'configuration')
  const portal: PortalRecord = {
    id: simulation.id('bps', 24),
    created: simulation.now(),
    customer: customer.id,
    configuration: configuration || 'bpc_default',
    return_url: optionalText(form, 'return_url') || null,
    flow: subForm(form, 'flow_data') ?? null,
  }
  simulation.state.portals[portal.id] = portal
  emit(simulation, 'billing_portal.session.created', portalBody(simulation, portal))
  return portalBody(simulation, portal)
}

type Configuration = Simulation['state']['portalConfigurations'][string]

const configurationBody = (simulation: Simulation, { id, created, settings }: Configuration) => ({
  id,
  object: 'billing_portal.configuration',
  active: optionalText(settings, 'active') !== 'false',
  application: null,
  business_profile: subForm(settings, 'business_profile') ?? {},
  created,
  default_return_url: optionalText(settings, 'default_return_url') || null,
  features: subForm(settings, 'features') ?? {},
  is_default: false,
  livemode: simulation.options.livemode,
  login_page: { enabled: false, url: null },
  metadata: mergeMetadata(settings),
  name: optionalText(settings, 'name') || null,
  updated: created,
})

export function createConfiguration(simulation: Simulation, form: Form): object {
  const configuration = { id: simulation.id('bpc', 24), created: simulation.now(), settings: form }
  simulation.state.portalConfigurations[configuration.id] = configuration
  return configurationBody(simulation, configuration)
}

export function updateConfiguration(simulation: Simulation, id: string, form: Form): object {
  const configuration = requireRecord(simulation.state.portalConfigurations, 'configuration', id)
  configuration.settings = { ...configuration.settings, ...form }
  return configurationBody(simulation, configuration)
}

export function listConfigurations(simulation: Simulation, form: Form): object {
  const url = '/v1/billing_portal/configurations'
  return paginate(Object.values(simulation.state.portalConfigurations), form, {
    url,
    tell: (one) => configurationBody(simulation, one),
  })
}

export const getConfiguration = (simulation: Simulation, id: string): object =>
  configurationBody(simulation, requireRecord(simulation.state.portalConfigurations, 'configuration', id))
