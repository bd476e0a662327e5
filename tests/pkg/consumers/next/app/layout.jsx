// No icon, of which the browser would ask in vain.
export const metadata = { icons: 'data:,' }

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
