import { Outlet } from '@tanstack/react-router'

/** Pages outside the product's shell: sign-in and the first steps. They lay themselves out. */
export function CustomLayout() {
  return (
    <main id="main" tabIndex={-1}>
      <Outlet />
    </main>
  )
}
