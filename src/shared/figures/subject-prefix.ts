/** What a sentence is about, before what is said of it: “Sales:”, or a question as it is: “Which cost rose?”. */
export const subjectPrefix = (name: string): string => (/[?!.:…]$/.test(name) ? name : `${name}:`)
