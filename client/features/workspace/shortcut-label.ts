/** The search shortcut as this person's keyboard names it. */
export const shortcutLabel = (userAgent: string): string => (/Mac|iPhone|iPad/.test(userAgent) ? '⌘ K' : 'Ctrl K')
