import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { KeyFigures } from './key-figures'
import { setSession } from '../../../lib/session'
import { memberPageData } from '../../../test/page-data'
import { renderWithProviders } from '../../../test/render'
import { answerOf, kronor, sales } from '../../../ui/chart/chart.fixture'

it('keeps a figure in one line, and breaks a text that may be longer than a window', async () => {
  setSession(memberPageData())
  const product = { ...sales, type: 'text' as const, format: { style: 'plain' as const } }
  const name = 'Cisco TelePresence System EX90 Videoconferencing Unit'
  await renderWithProviders(
    <>
      <KeyFigures result={answerOf([product], [[name]])} direction="none" format={kronor} />
      <KeyFigures result={answerOf([sales], [[1200]])} direction="up" format={kronor} />
    </>,
  )
  expect(screen.getByText(name)).toHaveStyle({ overflowWrap: 'anywhere' })
  expect(screen.getByText(name)).not.toHaveClass('figure')
  expect(screen.getByText(/1\s200\skr/)).toHaveClass('figure')
})
