/** The thin bar at the top while the next route is on its way. */
export function RouteProgress({ active }: { active: boolean }) {
  return active ? <div className="route-progress no-print" role="progressbar" aria-label="Loading page" /> : null
}
