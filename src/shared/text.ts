export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Inside a sentence; an abbreviation stays as it is: “EBIT”, “IT costs”. */
export const lowerFirst = (text: string): string =>
  /^\p{Lu}{2}/u.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1)

/** A header of a file as a person would write it: `net_amount` → `Net amount`. */
export const humanizeLabel = (label: string): string => capitalize(label.replace(/[_\s]+/g, ' ').trim())
