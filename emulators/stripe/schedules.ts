import { anchored } from './calendar.ts'
import { emit, noting } from './events.ts'
import { invalid } from './faults.ts'
import { list, metadataOf, needed, oneOf, part, text, whole } from './form.ts'
import type { Form } from './form.ts'
import { cadence, mustFit, periodOf, quantityOf } from './items.ts'
import { page } from './lists.ts'
import { sellable } from './prices.ts'
import { end } from './standing.ts'
import type { ItemRecord, PhaseRecord, ScheduleRecord, SubscriptionRecord } from './state.ts'
import { subscriptionBody } from './subscription-body.ts'
import { found } from './world.ts'
import type { World } from './world.ts'

export function scheduleBody(world: World, schedule: ScheduleRecord) {
  const { phases, phase, ...plain } = schedule
  const current = schedule.status === 'active' ? phases[phase] : undefined
  const subscription = world.state.subscriptions[schedule.subscription ?? schedule.released_subscription ?? '']
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
    livemode: world.options.livemode,
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
export function createSchedule(world: World, form: Form): object {
  const id = needed(form, 'from_subscription')
  if (form['phases'] !== undefined)
    throw invalid('You cannot set `phases` if `from_subscription` is set.', { param: 'phases' })
  const subscription = found(world.state.subscriptions, 'subscription', id, 'from_subscription')
  if (subscription.schedule !== null)
    throw invalid(`The subscription \`${id}\` is already attached to a schedule: \`${subscription.schedule}\`.`, {
      param: 'from_subscription',
    })
  if (!['active', 'trialing', 'past_due'].includes(subscription.status) || subscription.cancel_at !== null)
    throw invalid('You cannot create a subscription schedule for a subscription that is ended or set to be canceled.', {
      param: 'from_subscription',
    })
  const { start, end: until } = periodOf(subscription)
  const schedule: ScheduleRecord = {
    id: world.id('sub_sched', 24),
    created: world.now(),
    customer: subscription.customer,
    subscription: id,
    released_subscription: null,
    status: 'active',
    end_behavior: 'release',
    canceled_at: null,
    completed_at: null,
    released_at: null,
    phase: 0,
    metadata: metadataOf(form),
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
  world.state.schedules[schedule.id] = schedule
  emit(world, 'subscription_schedule.created', scheduleBody(world, schedule))
  attach(world, subscription, schedule.id)
  return scheduleBody(world, schedule)
}

const attach = (world: World, subscription: SubscriptionRecord, id: string | null): void =>
  noting(world, 'customer.subscription.updated', {
    tell: () => subscriptionBody(world, subscription),
    change: () => {
      subscription.schedule = id
    },
  })

export function updateSchedule(world: World, id: string, form: Form): object {
  const schedule = found(world.state.schedules, 'subscription_schedule', id)
  if (schedule.status !== 'active')
    throw invalid(`You cannot update a subscription schedule that is ${schedule.status}.`)
  noting(world, 'subscription_schedule.updated', {
    tell: () => scheduleBody(world, schedule),
    change: () => {
      schedule.end_behavior = oneOf(form, 'end_behavior', ['release', 'cancel']) ?? schedule.end_behavior
      schedule.metadata = metadataOf(form, schedule.metadata)
      const phases = list(form, 'phases')
      if (phases !== undefined) schedule.phases = phasesOf(world, schedule, phases)
    },
  })
  return scheduleBody(world, schedule)
}

/** Phases as given: the first must be the one in force, each begins where the one before ends. */
function phasesOf(world: World, schedule: ScheduleRecord, forms: Form[]): PhaseRecord[] {
  const current = schedule.phases[schedule.phase]
  const phases: PhaseRecord[] = []
  forms.forEach((form, index) => {
    const param = `phases[${index}]`
    const start = whole(form, 'start_date') ?? phases.at(-1)?.end_date
    if (start === undefined || (index === 0 && start !== current?.start_date))
      throw invalid('You can not modify the start date of the current phase; give it as it is.', {
        param: `${param}[start_date]`,
      })
    if (index > 0 && start !== phases.at(-1)?.end_date)
      throw invalid('Phases must begin where the one before ends.', { param: `${param}[start_date]` })
    const items = (list(form, 'items') ?? []).map((item, at) => {
      const price = sellable(world, needed(item, 'price'), `${param}[items][${at}][price]`)
      return { price: price.id, quantity: quantityOf(item, param) ?? 1, metadata: metadataOf(item) }
    })
    mustFit(world, items)
    phases.push({
      start_date: start,
      end_date: endOf(world, { form, items, start, last: index === forms.length - 1 }, param),
      items,
      proration_behavior:
        oneOf(form, 'proration_behavior', ['create_prorations', 'always_invoice', 'none']) ?? 'create_prorations',
      billing_cycle_anchor: oneOf(form, 'billing_cycle_anchor', ['automatic', 'phase_start']) ?? null,
      trial_end: whole(form, 'trial_end') ?? null,
      metadata: metadataOf(form),
    })
  })
  if (phases.some(({ start_date, end_date }) => end_date <= start_date) || (phases[0]?.end_date ?? 0) < world.now())
    throw invalid('A phase must end after it begins, and the current one in the future.', { param: 'phases' })
  const subscription = world.state.subscriptions[schedule.subscription ?? '']
  if (phases.length > 1 && subscription && phases[0]?.end_date !== periodOf(subscription).end)
    throw invalid('The stand-in lets the current phase end with the current period only.', { param: 'phases' })
  schedule.phase = 0
  return phases
}

function endOf(
  world: World,
  { form, items, start, last }: { form: Form; items: { price: string }[]; start: number; last: boolean },
  param: string,
): number {
  const given = whole(form, 'end_date')
  if (given !== undefined) return given
  const duration = part(form, 'duration')
  if (duration !== undefined) {
    const interval = oneOf(duration, 'interval', ['day', 'week', 'month', 'year']) ?? 'month'
    return anchored(start, { interval, count: whole(duration, 'interval_count') ?? 1 }, 1)
  }
  if (!last)
    throw invalid('You must specify an end_date or a duration for this phase.', { param: `${param}[end_date]` })
  return anchored(start, cadence(world, { items }), 1)
}

export function releaseSchedule(world: World, id: string): object {
  const schedule = found(world.state.schedules, 'subscription_schedule', id)
  if (schedule.status !== 'active' && schedule.status !== 'not_started')
    throw invalid(
      `You cannot release a subscription schedule that is currently in the \`${schedule.status}\` status. It must be in the \`not_started\` or \`active\` status.`,
    )
  release(world, schedule)
  return scheduleBody(world, schedule)
}

function release(world: World, schedule: ScheduleRecord): void {
  const subscription = world.state.subscriptions[schedule.subscription ?? '']
  schedule.status = 'released'
  schedule.released_at = world.now()
  schedule.released_subscription = schedule.subscription
  schedule.subscription = null
  emit(world, 'subscription_schedule.released', scheduleBody(world, schedule))
  if (subscription) attach(world, subscription, null)
}

export function cancelSchedule(world: World, id: string): object {
  const schedule = found(world.state.schedules, 'subscription_schedule', id)
  if (schedule.status !== 'active')
    throw invalid(`You cannot cancel a subscription schedule that is ${schedule.status}.`)
  const subscription = world.state.subscriptions[schedule.subscription ?? '']
  if (subscription) end(world, subscription, 'cancellation_requested')
  emit(world, 'subscription_schedule.canceled', scheduleBody(world, schedule))
  return scheduleBody(world, schedule)
}

export function listSchedules(world: World, form: Form): object {
  const customer = text(form, 'customer')
  const records = Object.values(world.state.schedules).filter(
    (one) => customer === undefined || one.customer === customer,
  )
  return page(records, form, { url: '/v1/subscription_schedules', tell: (one) => scheduleBody(world, one) })
}

/** The phase in force is what the subscription is: called after it was changed by itself. */
export function phaseFollows(world: World, subscription: SubscriptionRecord): void {
  const schedule = world.state.schedules[subscription.schedule ?? '']
  const phase = schedule?.phases[schedule.phase]
  if (phase !== undefined) phase.items = plainItems(subscription.items)
}

/** At the end of a period: puts the phase in force that begins now, or ends the schedule. */
export function enterPhase(world: World, subscription: SubscriptionRecord): 'goes on' | 'ended' {
  const schedule = world.state.schedules[subscription.schedule ?? '']
  const now = world.now()
  if (schedule === undefined || (schedule.phases[schedule.phase]?.end_date ?? Infinity) > now) return 'goes on'
  schedule.phase += 1
  const next = schedule.phases[schedule.phase]
  if (next === undefined) {
    if (schedule.end_behavior === 'cancel') {
      schedule.status = 'completed'
      schedule.completed_at = now
      emit(world, 'subscription_schedule.completed', scheduleBody(world, schedule))
      end(world, subscription, 'cancellation_requested')
      return 'ended'
    }
    release(world, schedule)
    return 'goes on'
  }
  putInForce(world, subscription, next)
  emit(world, 'subscription_schedule.updated', scheduleBody(world, schedule))
  return 'goes on'
}

/** Items of a phase, at the boundary of a period: nothing is left to settle. Items with the same price stay what they are. */
function putInForce(world: World, subscription: SubscriptionRecord, phase: PhaseRecord): void {
  const now = world.now()
  const before = JSON.stringify(cadence(world, subscription))
  subscription.items = phase.items.map(({ price, quantity, metadata }) => {
    const same = subscription.items.find((item) => item.price === price)
    const fresh = { id: world.id('si', 14), created: now, current_period_start: now, current_period_end: now }
    return { ...(same ?? fresh), price, quantity, metadata }
  })
  if (JSON.stringify(cadence(world, subscription)) !== before || phase.billing_cycle_anchor === 'phase_start')
    subscription.billing_cycle_anchor = now
  subscription.metadata = { ...subscription.metadata, ...phase.metadata }
}
