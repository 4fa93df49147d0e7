# How linchpin-fe is linked with LLVM, and with clang.
#
# libLLVM.so has 340,000 addresses to relocate, at every start: 11 ms of the 20 ms that linchpin-fe
# takes for a small program.  A program that is linked with LLVM's archives at a fixed address has
# none.  LP_LLVM_ARCHIVES tells whether that works here; else the shared library is used.
include(CheckCSourceCompiles)

execute_process(COMMAND ${LP_LLVM_CONFIG} --link-static --libs passes x86 aarch64 bitreader bitwriter linker
                OUTPUT_VARIABLE llvm_archives OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
separate_arguments(llvm_archives)
# libstdc++.so is another 1.5 MB to map and relocate: 3 ms of the 28 ms that a small program takes.
execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libstdc++.a OUTPUT_VARIABLE libstdcxx
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(IS_ABSOLUTE "${libstdcxx}" AND EXISTS ${libstdcxx})
  set(libstdcxx ${libstdcxx} -static-libgcc)
else()
  set(libstdcxx stdc++)
endif()
find_library(LP_ZSTD NAMES zstd libzstd.so.1) # LLVM's packages need the library, not its headers
list(APPEND llvm_archives ${libstdcxx} m z ${LP_ZSTD})

# A cross-compiler's llvm-config may be the host's: what counts is the folder of the libraries.
if(LP_ZSTD AND EXISTS ${llvm_lib}/libLLVMPasses.a)
  set(CMAKE_REQUIRED_FLAGS -no-pie)
  set(CMAKE_REQUIRED_INCLUDES ${llvm_include})
  set(CMAKE_REQUIRED_LINK_OPTIONS -L${llvm_lib})
  set(CMAKE_REQUIRED_LIBRARIES ${llvm_archives})
  check_c_source_compiles("
#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
int main(void)
{
	LLVMModuleRef m, n;
	LLVMInitializeX86AsmPrinter();
	LLVMInitializeAArch64AsmPrinter();
	LLVMParseBitcode2(0, &m);
	LLVMParseBitcode2(0, &n);
	return LLVMLinkModules2(m, n) || LLVMRunPasses(m, 0, 0, 0);
}" LP_LLVM_ARCHIVES)
  unset(CMAKE_REQUIRED_FLAGS)
  unset(CMAKE_REQUIRED_INCLUDES)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()

# With clang's archives (libclang-19-dev), linchpin-fe translates sources itself: src/frontend/ir/clang.h.
# LP_LINK_CLANG=OFF, or no such archives: linchpin runs the executable clang.
option(LP_LINK_CLANG "link clang's front end with linchpin-fe, if it is installed" ON)
set(clang_archives)
foreach(name CodeGen Frontend Driver Serialization Parse Sema Analysis Edit AST ASTMatchers Lex APINotes Basic Support)
  if(EXISTS ${llvm_lib}/libclang${name}.a)
    list(APPEND clang_archives clang${name})
  endif()
endforeach()
list(LENGTH clang_archives found)
set(LP_CLANG_ARCHIVES OFF)
if(LP_LINK_CLANG AND LP_LLVM_ARCHIVES AND found EQUAL 14 AND EXISTS ${llvm_include}/clang/CodeGen/ModuleBuilder.h)
  set(LP_CLANG_ARCHIVES ON)
  execute_process(COMMAND ${LP_LLVM_CONFIG} --link-static --libs passes x86 aarch64 bitreader bitwriter linker option
                          frontenddriver frontendhlsl frontendoffloading frontendopenmp coverage windowsdriver
                  OUTPUT_VARIABLE llvm_archives OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  separate_arguments(llvm_archives)
  list(APPEND llvm_archives ${libstdcxx} m z ${LP_ZSTD})
endif()
