import type { Edition } from '../../../../src/shared/reports/editions'

export const editionName = ({ n, period }: Pick<Edition, 'n' | 'period'>): string =>
  period === null ? `Edition ${n}` : `${period}, edition ${n}`
