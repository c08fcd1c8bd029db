import { LinkButton } from '../../ui/buttons/links'
import { EmptyState } from '../../ui/empty-state'
import { PageHeader } from '../../ui/page-header'
import { PLANNED_FEATURES, type PlannedAlternative, type PlannedPath } from '../../../src/shared/planned-features'

const ALTERNATIVES: Record<
  PlannedAlternative,
  { to: '/insights' | '/data-sources/new' | '/settings/workspace/members'; label: string }
> = {
  insights: { to: '/insights', label: 'Go to insights' },
  import: { to: '/data-sources/new', label: 'Import data' },
  members: { to: '/settings/workspace/members', label: 'Go to members' },
}

/** The page of a feature that has an address and no screen yet: what it is for, and what works today. */
export function PlannedFeatureScreen({ path }: { path: PlannedPath }) {
  const feature = PLANNED_FEATURES.find((each) => each.path === path)
  if (!feature) return null
  const { to, label } = ALTERNATIVES[feature.instead]
  return (
    <>
      <PageHeader title={feature.name} description={feature.purpose} />
      <EmptyState
        title="Not available yet"
        sentence="This version doesn’t include it, and no plan charges for it."
        action={<LinkButton to={to}>{label}</LinkButton>}
      />
    </>
  )
}
