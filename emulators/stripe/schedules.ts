import { addIntervals } from './calendar.ts'
import { emit, emitOnChange } from './events.ts'
import { invalidRequestError } from './errors.ts'
import { formList, mergeMetadata, requireText, oneOf, subForm, optionalText, optionalInteger } from './form.ts'
import type { Form } from './form.ts'
import { billingIntervalOf, assertCompatible, periodOf, quantityOf } from './items.ts'
import { paginate } from './lists.ts'
import { requireSellablePrice } from './prices.ts'
import { endSubscription } from './subscription-status.ts'
import type { ItemRecord, PhaseRecord, ScheduleRecord, SubscriptionRecord } from './state.ts'
import { subscriptionBody } from './subscription-body.ts'
import { requireRecord, type Simulation } from './simulation.ts'

export function scheduleBody(simulation: Simulation, schedule: ScheduleRecord) {
  const { phases, phase, ...plain } = schedule
  const current = schedule.status === 'active' ? phases[phase] : undefined
  const subscription = simulation.state.subscriptions[schedule.subscription ?? schedule.released_subscription ?? '']
  return {
    ...plain,
    object: 'subscription_schedule',
    application: null,
    billing_mode: { type: 'flexible', flexible: { proration_discounts: 'included' } },
    current_phase: current ? { start_date: current.start_date, end_date: current.end_date } : null,
    customer_account: null,
    default_settings: {
      application_fee_percent: null,
      billing_cycle_anchor: 'automatic',
      billing_thresholds: null,
      collection_method: subscription?.collection_method ?? 'charge_automatically',
      default_payment_method: null,
      description: null,
      invoice_settings: { issuer: { type: 'self' }, days_until_due: subscription?.days_until_due ?? null },
      on_behalf_of: null,
      transfer_data: null,
    },
    livemode: simulation.options.livemode,
    pause_schedules: [],
    phases: phases.map((one) => ({
      ...one,
      add_invoice_items: [],
      application_fee_percent: null,
      billing_thresholds: null,
      collection_method: null,
      currency: subscription?.currency ?? null,
      default_payment_method: null,
      default_tax_rates: [],
      description: null,
      discounts: [],
      invoice_settings: null,
      items: one.items.map((item) => ({
        ...item,
        billing_thresholds: null,
        discounts: [],
        plan: item.price,
        tax_rates: [],
      })),
      on_behalf_of: null,
      transfer_data: null,
    })),
    test_clock: null,
  }
}

const plainItems = (items: ItemRecord[]): PhaseRecord['items'] =>
  items.map(({ price, quantity, metadata }) => ({ price, quantity, metadata }))

/** A schedule of a subscription that is there: its first phase is what is in force. */
export function createSchedule(simulation: Simulation, form: Form): object {
  const id = requireText(form, 'from_subscription')
  if (form['phases'] !== undefined)
    throw invalidRequestError('You cannot set `phases` if `from_subscription` is set.', { param: 'phases' })
  const subscription = requireRecord(simulation.state.subscriptions, 'subscription', id, 'from_subscription')
  if (subscription.schedule !== null)
    throw invalidRequestError(
      `The subscription \`${id}\` is already attached to a schedule: \`${subscription.schedule}\`.`,
      {
        param: 'from_subscription',
      },
    )
  if (!['active', 'trialing', 'past_due'].includes(subscription.status) || subscription.cancel_at !== null)
    throw invalidRequestError(
      'You cannot create a subscription schedule for a subscription that is ended or set to be canceled.',
      {
        param: 'from_subscription',
      },
    )
  const { start, end: until } = periodOf(subscription)
  const schedule: ScheduleRecord = {
    id: simulation.id('sub_sched', 24),
    created: simulation.now(),
    customer: subscription.customer,
    subscription: id,
    released_subscription: null,
    status: 'active',
    end_behavior: 'release',
    canceled_at: null,
    completed_at: null,
    released_at: null,
    phase: 0,
    metadata: mergeMetadata(form),
    phases: [
      {
        start_date: start,
        end_date: until,
        items: plainItems(subscription.items),
        proration_behavior: 'create_prorations',
        billing_cycle_anchor: null,
        trial_end: subscription.status === 'trialing' ? subscription.trial_end : null,
        metadata: {},
      },
    ],
  }
  simulation.state.schedules[schedule.id] = schedule
  emit(simulation, 'subscription_schedule.created', scheduleBody(simulation, schedule))
  setSubscriptionSchedule(simulation, subscription, schedule.id)
  return scheduleBody(simulation, schedule)
}

const setSubscriptionSchedule = (simulation: Simulation, subscription: SubscriptionRecord, id: string | null): void =>
  emitOnChange(simulation, 'customer.subscription.updated', {
    tell: () => subscriptionBody(simulation, subscription),
    change: () => {
      subscription.schedule = id
    },
  })

export function updateSchedule(simulation: Simulation, id: string, form: Form): object {
  const schedule = requireRecord(simulation.state.schedules, 'subscription_schedule', id)
  if (schedule.status !== 'active')
    throw invalidRequestError(`You cannot update a subscription schedule that is ${schedule.status}.`)
  emitOnChange(simulation, 'subscription_schedule.updated', {
    tell: () => scheduleBody(simulation, schedule),
    change: () => {
      schedule.end_behavior = oneOf(form, 'end_behavior', ['release', 'cancel']) ?? schedule.end_behavior
      schedule.metadata = mergeMetadata(form, schedule.metadata)
      const phases = formList(form, 'phases')
      if (phases !== undefined) schedule.phases = phasesOf(simulation, schedule, phases)
    },
  })
  return scheduleBody(simulation, schedule)
}

/** Phases as given: the first must be the one in force, each begins where the one before ends. */
function phasesOf(simulation: Simulation, schedule: ScheduleRecord, forms: Form[]): PhaseRecord[] {
  const current = schedule.phases[schedule.phase]
  const phases: PhaseRecord[] = []
  forms.forEach((form, index) => {
    const param = `phases[${index}]`
    const start = optionalInteger(form, 'start_date') ?? phases.at(-1)?.end_date
    if (start === undefined || (index === 0 && start !== current?.start_date))
      throw invalidRequestError('You can not modify the start date of the current phase; give it as it is.', {
        param: `${param}[start_date]`,
      })
    if (index > 0 && start !== phases.at(-1)?.end_date)
      throw invalidRequestError('Phases must begin where the one before ends.', { param: `${param}[start_date]` })
    const items = (formList(form, 'items') ?? []).map((item, at) => {
      const price = requireSellablePrice(simulation, requireText(item, 'price'), `${param}[items][${at}][price]`)
      return { price: price.id, quantity: quantityOf(item, param) ?? 1, metadata: mergeMetadata(item) }
    })
    assertCompatible(simulation, items)
    phases.push({
      start_date: start,
      end_date: endOf(simulation, { form, items, start, last: index === forms.length - 1 }, param),
      items,
      proration_behavior:
        oneOf(form, 'proration_behavior', ['create_prorations', 'always_invoice', 'none']) ?? 'create_prorations',
      billing_cycle_anchor: oneOf(form, 'billing_cycle_anchor', ['automatic', 'phase_start']) ?? null,
      trial_end: optionalInteger(form, 'trial_end') ?? null,
      metadata: mergeMetadata(form),
    })
  })
  if (
    phases.some(({ start_date, end_date }) => end_date <= start_date) ||
    (phases[0]?.end_date ?? 0) < simulation.now()
  )
    throw invalidRequestError('A phase must end after it begins, and the current one in the future.', {
      param: 'phases',
    })
  const subscription = simulation.state.subscriptions[schedule.subscription ?? '']
  if (phases.length > 1 && subscription && phases[0]?.end_date !== periodOf(subscription).end)
    throw invalidRequestError('The stand-in lets the current phase end with the current period only.', {
      param: 'phases',
    })
  schedule.phase = 0
  return phases
}

function endOf(
  simulation: Simulation,
  { form, items, start, last }: { form: Form; items: { price: string }[]; start: number; last: boolean },
  param: string,
): number {
  const given = optionalInteger(form, 'end_date')
  if (given !== undefined) return given
  const duration = subForm(form, 'duration')
  if (duration !== undefined) {
    const interval = oneOf(duration, 'interval', ['day', 'week', 'month', 'year']) ?? 'month'
    return addIntervals(start, { interval, count: optionalInteger(duration, 'interval_count') ?? 1 }, 1)
  }
  if (!last)
    throw invalidRequestError('You must specify an end_date or a duration for this phase.', {
      param: `${param}[end_date]`,
    })
  return addIntervals(start, billingIntervalOf(simulation, { items }), 1)
}

export function releaseSchedule(simulation: Simulation, id: string): object {
  const schedule = requireRecord(simulation.state.schedules, 'subscription_schedule', id)
  if (schedule.status !== 'active' && schedule.status !== 'not_started')
    throw invalidRequestError(
      `You cannot release a subscription schedule that is currently in the \`${schedule.status}\` status. It must be in the \`not_started\` or \`active\` status.`,
    )
  releaseNow(simulation, schedule)
  return scheduleBody(simulation, schedule)
}

function releaseNow(simulation: Simulation, schedule: ScheduleRecord): void {
  const subscription = simulation.state.subscriptions[schedule.subscription ?? '']
  schedule.status = 'released'
  schedule.released_at = simulation.now()
  schedule.released_subscription = schedule.subscription
  schedule.subscription = null
  emit(simulation, 'subscription_schedule.released', scheduleBody(simulation, schedule))
  if (subscription) setSubscriptionSchedule(simulation, subscription, null)
}

export function cancelSchedule(simulation: Simulation, id: string): object {
  const schedule = requireRecord(simulation.state.schedules, 'subscription_schedule', id)
  if (schedule.status !== 'active')
    throw invalidRequestError(`You cannot cancel a subscription schedule that is ${schedule.status}.`)
  const subscription = simulation.state.subscriptions[schedule.subscription ?? '']
  if (subscription) endSubscription(simulation, subscription, 'cancellation_requested')
  emit(simulation, 'subscription_schedule.canceled', scheduleBody(simulation, schedule))
  return scheduleBody(simulation, schedule)
}

export function listSchedules(simulation: Simulation, form: Form): object {
  const customer = optionalText(form, 'customer')
  const records = Object.values(simulation.state.schedules).filter(
    (one) => customer === undefined || one.customer === customer,
  )
  return paginate(records, form, { url: '/v1/subscription_schedules', tell: (one) => scheduleBody(simulation, one) })
}

/** The phase in force is what the subscription is: called after it was changed by itself. */
export function syncCurrentPhase(simulation: Simulation, subscription: SubscriptionRecord): void {
  const schedule = simulation.state.schedules[subscription.schedule ?? '']
  const phase = schedule?.phases[schedule.phase]
  if (phase !== undefined) phase.items = plainItems(subscription.items)
}

/** At the end of a period: puts the phase in force that begins now, or ends the schedule. */
export function advancePhase(simulation: Simulation, subscription: SubscriptionRecord): 'goes on' | 'ended' {
  const schedule = simulation.state.schedules[subscription.schedule ?? '']
  const now = simulation.now()
  if (schedule === undefined || (schedule.phases[schedule.phase]?.end_date ?? Infinity) > now) return 'goes on'
  schedule.phase += 1
  const next = schedule.phases[schedule.phase]
  if (next === undefined) {
    if (schedule.end_behavior === 'cancel') {
      schedule.status = 'completed'
      schedule.completed_at = now
      emit(simulation, 'subscription_schedule.completed', scheduleBody(simulation, schedule))
      endSubscription(simulation, subscription, 'cancellation_requested')
      return 'ended'
    }
    releaseNow(simulation, schedule)
    return 'goes on'
  }
  applyPhase(simulation, subscription, next)
  emit(simulation, 'subscription_schedule.updated', scheduleBody(simulation, schedule))
  return 'goes on'
}

/** Items of a phase, at the boundary of a period: nothing is left to settle. Items with the same price stay what they are. */
function applyPhase(simulation: Simulation, subscription: SubscriptionRecord, phase: PhaseRecord): void {
  const now = simulation.now()
  const before = JSON.stringify(billingIntervalOf(simulation, subscription))
  subscription.items = phase.items.map(({ price, quantity, metadata }) => {
    const same = subscription.items.find((item) => item.price === price)
    const fresh = { id: simulation.id('si', 14), created: now, current_period_start: now, current_period_end: now }
    return { ...(same ?? fresh), price, quantity, metadata }
  })
  if (
    JSON.stringify(billingIntervalOf(simulation, subscription)) !== before ||
    phase.billing_cycle_anchor === 'phase_start'
  )
    subscription.billing_cycle_anchor = now
  subscription.metadata = { ...subscription.metadata, ...phase.metadata }
}
