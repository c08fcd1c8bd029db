import { expect, it } from 'vitest'
import { PersonAvatar } from './person-avatar'
import { renderWithProviders } from '../test/render'

it('shows the picture where there is one, and the initials otherwise', async () => {
  const { container, unmount } = await renderWithProviders(
    <PersonAvatar name="Anna Maria Berg" picture="/files/pictures/ab" />,
  )
  expect(container.querySelector('img')).toHaveAttribute('src', '/files/pictures/ab')
  unmount()
  const second = await renderWithProviders(<PersonAvatar name="Anna Maria Berg" picture={null} />)
  expect(second.container.querySelector('img')).toBeNull()
  expect(second.container).toHaveTextContent('AB')
})
