import { UpgradeLine } from './upgrade-prompt'
import { planNeedOf } from '../lib/plan/upgrade-offer'

export default function UpgradeHintContent({ error }: { error: unknown }) {
  const need = planNeedOf(error)
  return need && <UpgradeLine need={need} />
}
