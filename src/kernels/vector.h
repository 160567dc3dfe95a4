/* What the compiler can do for several instruction sets in one build. */
#ifndef KERNELS_VECTOR_H
#define KERNELS_VECTOR_H

#if defined(__x86_64__)
#define VECTOR_X86 1
#else
#define VECTOR_X86 0
#endif

#if defined(__has_feature)
#define VECTOR_HAS_FEATURE(name) __has_feature(name)
#else
#define VECTOR_HAS_FEATURE(name) 0
#endif

/* Several versions of a loop, chosen when the program starts. Contraction is off, so all versions
 * give the same bits. Names are unique in the program: some compilers make the resolvers global.
 * Sanitizers and other C libraries do without: resolvers run before they do. */
#if VECTOR_X86 && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) &&  \
    !defined(__SANITIZE_THREAD__) && !VECTOR_HAS_FEATURE(address_sanitizer) && \
    !VECTOR_HAS_FEATURE(thread_sanitizer) && !VECTOR_HAS_FEATURE(undefined_behavior_sanitizer)
#define VECTOR_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define VECTOR_CLONES
#endif

#endif
