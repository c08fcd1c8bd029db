import { expect, it } from 'vitest'
import { ADD_ON_MAX, changePlanSchema, checkoutSchema, previewChangeSchema } from './subscription'

const addOns = (...list: [string, number?][]) => list.map(([id, qty = 1]) => ({ id, qty }))
const all = addOns(['extra_analyst', ADD_ON_MAX], ['user_pack_10', 2], ['extra_source', 3], ['frequent_sync'])

/** One hourly sync per workspace: Frequent sync beside a plan of today, one Premium sync beside an older tier. */
it.each([
  ['everything beside a plan of today', 'standard', all, true],
  ['nothing beside an older tier', 'legacy', [], true],
  ['Premium sync beside an older tier', 'legacy', addOns(['premium_sync_10']), true],
  ['Premium sync beside a plan of today', 'professional', addOns(['premium_sync_1']), false],
  ['Frequent sync beside an older tier', 'legacy', addOns(['frequent_sync']), false],
  ['two Premium syncs', 'legacy', addOns(['premium_sync_1'], ['premium_sync_3']), false],
  ['one Premium sync twice', 'legacy', addOns(['premium_sync_1', 2]), false],
  ['Frequent sync twice', 'standard', addOns(['frequent_sync', 2]), false],
  ['both hourly syncs', 'standard', addOns(['frequent_sync'], ['premium_sync_1']), false],
  ['one add-on in two lines', 'standard', addOns(['extra_source'], ['extra_source']), false],
  ['more than anybody needs', 'standard', addOns(['extra_source', ADD_ON_MAX + 1]), false],
  ['a plan that is made for one', 'enterprise', [], false],
] as const)('takes what goes together, in every call alike: %s (BIL-4, BIL-5)', (_what, planId, list, fits) => {
  const choice = { planId, interval: 'monthly', addOns: list }
  expect([
    checkoutSchema.safeParse({ ...choice, method: 'card' }).success,
    previewChangeSchema.safeParse(choice).success,
    changePlanSchema.safeParse({ ...choice, version: 1 }).success,
  ]).toEqual([fits, fits, fits])
})
