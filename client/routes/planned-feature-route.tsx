import { useRouterState } from '@tanstack/react-router'
import { PlannedFeatureScreen } from '../features/planned/planned-feature-screen'
import { PLANNED_FEATURES } from '../../src/shared/planned-features'

/** Which of the planned features it is, the address says. */
export function PlannedFeatureRoute() {
  const path = useRouterState({ select: (state) => state.location.pathname.replace(/(.)\/$/, '$1') })
  const feature = PLANNED_FEATURES.find((each) => each.path === path)
  return feature ? <PlannedFeatureScreen path={feature.path} /> : null
}
