import { Checkbox, NumberInput, SimpleGrid } from '@mantine/core'
import { LIMIT_LABELS } from './terms-values'
import { FEATURE_LABELS } from '../../lib/upgrade-words'
import { GATE_NAMES, LIMIT_NAMES } from '../../../src/shared/plans'
import type { PlanFeatures } from '../../../src/shared/plans'

const LIMIT_MAX = 1_000_000
const HOURS_MAX = 168

interface TermsFeaturesProps {
  /** Bot messages of a trial count over all of it. */
  isTrial: boolean
  features: PlanFeatures
  onChange: (part: Partial<PlanFeatures>) => void
}

/** Every limit and gate; an empty limit is none. */
export function TermsFeatures({ isTrial, features, onChange }: TermsFeaturesProps) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {LIMIT_NAMES.map((name) => (
          <NumberInput
            key={name}
            label={isTrial && name === 'aiMessages' ? 'Bot messages in all' : LIMIT_LABELS[name]}
            placeholder="Unlimited"
            allowDecimal={false}
            allowNegative={false}
            max={LIMIT_MAX}
            value={features[name] ?? ''}
            onChange={(value) => onChange({ [name]: value === '' ? null : Number(value) })}
          />
        ))}
        <NumberInput
          label="Hours between syncs"
          allowDecimal={false}
          min={1}
          max={HOURS_MAX}
          value={features.syncFrequencyHours}
          onChange={(value) => onChange({ syncFrequencyHours: Number(value) || 1 })}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {GATE_NAMES.map((name) => (
          <Checkbox
            key={name}
            label={FEATURE_LABELS[name].name}
            checked={features[name]}
            onChange={(event) => onChange({ [name]: event.currentTarget.checked })}
          />
        ))}
      </SimpleGrid>
    </>
  )
}
