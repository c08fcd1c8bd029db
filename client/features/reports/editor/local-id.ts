/** An id for a part of a report: ten letters and digits. */
export const newLocalId = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, 10)
