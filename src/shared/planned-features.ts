/**
 * Features that have an address and no screen yet. Their page says what they are for and where to go on; no plan lists
 * or charges for them. A feature that is built leaves this list, and its address gets a route of its own.
 */
export const PLANNED_FEATURES = [
  {
    path: '/clients',
    name: 'Clients',
    purpose: 'A portal for each client, with their reports and comments.',
    instead: 'members',
  },
  {
    path: '/file-analyzer',
    name: 'File analyzer',
    purpose: 'Check a file’s content and quality before importing it.',
    instead: 'import',
  },
  {
    path: '/bi',
    name: 'External BI',
    purpose: 'Live figures in Excel, Power BI and other tools.',
    instead: 'insights',
  },
  {
    path: '/bi-tools',
    name: 'BI tools',
    purpose: 'Step-by-step guides for connecting Excel, Power BI and other tools.',
    instead: 'insights',
  },
] as const

export type PlannedPath = (typeof PLANNED_FEATURES)[number]['path']
/** What works today in place of a planned feature. */
export type PlannedAlternative = (typeof PLANNED_FEATURES)[number]['instead']
