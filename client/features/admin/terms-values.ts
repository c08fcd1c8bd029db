import type { WorkspaceTerms, WorkspaceTermsInput } from '../../../src/shared/admin'
import { GATE_NAMES, LIMIT_NAMES, planById, TRIAL_FEATURES } from '../../../src/shared/plans'
import type { LimitName, PlanFeatures } from '../../../src/shared/plans'

export const LIMIT_LABELS: Record<LimitName, string> = {
  analysts: 'Analysts',
  users: 'Users',
  dataSources: 'Data sources',
  customInsights: 'Custom insights',
  aiMessages: 'Bot messages a month',
  activeForecasts: 'Active forecasts',
  groupings: 'Groupings',
  feeds: 'Feeds',
}
export const TERMS_KINDS = ['trial', 'enterprise', 'legacy'] as const
/** What the form holds. */
export interface TermsFormValues {
  kind: (typeof TERMS_KINDS)[number]
  trialDay: string
  features: PlanFeatures
  reason: string
}

/** What an agreement or a trial has unless it says otherwise. */
export const defaultFeatures = (kind: TermsFormValues['kind']): PlanFeatures =>
  kind === 'trial' ? TRIAL_FEATURES : (planById(kind)?.features ?? TRIAL_FEATURES)

const termsKindOf = ({ planId }: WorkspaceTerms): TermsFormValues['kind'] =>
  TERMS_KINDS.find((kind) => kind === planId) ?? 'trial'

export function toTermsValues(terms: WorkspaceTerms, today: string): TermsFormValues {
  const kind = termsKindOf(terms)
  const features = { ...defaultFeatures(kind), ...terms.override }
  return {
    kind,
    trialDay: terms.trialEndsAt?.slice(0, 10) ?? today,
    features,
    reason: '',
  }
}

/** What the call takes: of the features only what differs from the base. The trial ends with its day, in UTC. */
export function toTermsInput(
  { kind, trialDay, features, reason }: TermsFormValues,
  version: number,
): WorkspaceTermsInput {
  const base = defaultFeatures(kind)
  const differs = (name: keyof PlanFeatures): boolean => features[name] !== base[name]
  const override = Object.fromEntries(
    Object.entries(features).filter(([name]) => FEATURE_NAMES.some((one) => one === name && differs(one))),
  )
  return {
    planId: kind === 'trial' ? null : kind,
    override: Object.keys(override).length === 0 ? null : override,
    trialEndsAt: kind === 'trial' ? `${trialDay}T23:59:59.999Z` : null,
    reason,
    version,
  }
}
const FEATURE_NAMES: readonly (keyof PlanFeatures)[] = [
  ...LIMIT_NAMES,
  ...GATE_NAMES,
  'syncFrequencyHours',
  'consultingHours',
  'support',
]
