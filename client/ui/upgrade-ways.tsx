import { UpgradeLine } from './upgrade-prompt'
import { needOf } from '../lib/need-of'

export default function UpgradeWays({ error }: { error: unknown }) {
  const need = needOf(error)
  return need && <UpgradeLine need={need} />
}
