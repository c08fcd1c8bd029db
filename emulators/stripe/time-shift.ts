import type { Form, FormValue } from './form.ts'

/** Fields that hold instants. */
const INSTANT_FIELDS = new Set(
  [
    'created updated current_period_start current_period_end billing_cycle_anchor start_date end_date trial_start trial_end',
    'cancel_at canceled_at ended_at due_date finalized_at paid_at voided_at marked_uncollectible_at expires_at',
    'next_payment_attempt automatically_finalizes_at period_start period_end effective_at released_at completed_at',
    'proration_date webhooks_delivered_at start end gt gte lt lte next_pending_invoice_item_invoice',
  ].flatMap((line) => line.split(' ')),
)

/** What is told while the clock is ahead: everything is that much older, so that today is today for who asks. */
export function shiftToPresent<T>(value: T, ahead: number): T
export function shiftToPresent(value: unknown, ahead: number): unknown {
  if (ahead === 0 || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one: unknown) => shiftToPresent(one, ahead))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [
      name,
      typeof inner === 'number' && INSTANT_FIELDS.has(name) ? inner - ahead : shiftToPresent(inner, ahead),
    ]),
  )
}

/** What is asked while the clock is ahead. */
export function shiftFromPresent(form: Form, ahead: number): Form {
  if (ahead === 0) return form
  const of = (formValue: FormValue, name: string): FormValue => {
    if (typeof formValue === 'string')
      return INSTANT_FIELDS.has(name) && /^\d+$/.test(formValue) ? String(Number(formValue) + ahead) : formValue
    if (Array.isArray(formValue)) return formValue.map((one) => of(one, name))
    return name === 'metadata' ? formValue : shiftFromPresent(formValue, ahead)
  }
  return Object.fromEntries(Object.entries(form).map(([name, value]) => [name, of(value, name)]))
}
