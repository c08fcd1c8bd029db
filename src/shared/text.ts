export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** A header of a file as a person would write it: `net_amount` → `Net amount`. */
export const humanizeLabel = (label: string): string => capitalize(label.replace(/[_\s]+/g, ' ').trim())
